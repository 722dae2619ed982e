/* Stands in for the frozen program in test_installer.sh: a window that saves and ends when it is asked to, as
   `lifehelper-desktop` does, and `--quit`, which asks it and waits. `--stubborn` never ends by itself. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define CLASS_NAME L"LifeHelperStandIn"

static int stubborn;

static void data_path(WCHAR *path, const WCHAR *name) {
    WCHAR local[MAX_PATH];
    GetEnvironmentVariableW(L"LOCALAPPDATA", local, MAX_PATH);
    swprintf(path, MAX_PATH, L"%ls\\LifeHelper", local);
    CreateDirectoryW(path, NULL);
    swprintf(path, MAX_PATH, L"%ls\\LifeHelper\\%ls", local, name);
}

static LRESULT CALLBACK handle(HWND window, UINT message, WPARAM w, LPARAM l) {
    if (message == WM_APP && !stubborn) {
        WCHAR path[MAX_PATH];
        FILE *file;
        data_path(path, L"saved.txt");
        file = _wfopen(path, L"w");
        if (file) {
            fputs("saved", file);
            fclose(file);
        }
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcW(window, message, w, l);
}

static int ask(void) {
    DWORD process = 0;
    HANDLE handle_of;
    HWND window = FindWindowW(CLASS_NAME, NULL);
    if (!window) return 0;
    GetWindowThreadProcessId(window, &process);
    handle_of = OpenProcess(SYNCHRONIZE, FALSE, process);
    PostMessageW(window, WM_APP, 0, 0);
    return WaitForSingleObject(handle_of, 2000) == WAIT_OBJECT_0 ? 0 : 3;
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR arguments, int show) {
    WNDCLASSW class = {0};
    MSG message;
    if (strstr(arguments, "--quit")) return ask();
    stubborn = strstr(arguments, "--stubborn") != NULL;
    class.lpfnWndProc = handle;
    class.hInstance = instance;
    class.lpszClassName = CLASS_NAME;
    RegisterClassW(&class);
    CreateWindowW(CLASS_NAME, L"LifeHelper", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 40, 40, 320, 200, NULL, NULL, instance, NULL);
    while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
    return 0;
}
