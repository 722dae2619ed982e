; What installer and uninstaller do alike; each needs functions of its own, hence the macro.
!macro FUNCTIONS un
; The pages speak the language of /LANG=NUMBER; a box that comes before them still speaks the system's.
Function ${un}ReadLanguage
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/LANG=" $R1
  ${IfNot} ${Errors}
    StrCpy $LANGUAGE $R1
  ${EndIf}
FunctionEnd

; Two of them at once would move away each other's files.
Function ${un}OnlyOne
  System::Call 'kernel32::CreateMutexW(p 0, i 0, w "${ID} setup") p .r0 ?e'
  Pop $R0
  ${If} $R0 = 183 ; ERROR_ALREADY_EXISTS
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(alreadyOpen)" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
FunctionEnd

; A program that runs cannot be opened for writing: that is true of every window and command of this folder, whoever
; started it. $R1 becomes 1 when one runs.
Function ${un}LookWhetherItRuns
  StrCpy $R1 0
  ${For} $R2 1 2
    StrCpy $R3 "${WINDOW_EXE}"
    ${If} $R2 == 2
      StrCpy $R3 "${COMMAND_EXE}"
    ${EndIf}
    ${If} ${FileExists} "$INSTDIR\$R3"
      ClearErrors
      FileOpen $R4 "$INSTDIR\$R3" a
      ${If} ${Errors}
        StrCpy $R1 1
      ${Else}
        FileClose $R4
      ${EndIf}
    ${EndIf}
  ${Next}
  ClearErrors
FunctionEnd

; Ask the user, then the program (it saves and stops its model), and wait until its files are free. $R0 becomes 1
; when they are. Nothing is ever killed: it may be in the middle of an import.
Function ${un}CloseRunning
  StrCpy $R0 1
  Call ${un}LookWhetherItRuns
  ${If} $R1 == 0
    Return
  ${EndIf}
  MessageBox MB_OKCANCEL|MB_ICONINFORMATION "$(isRunning)" /SD IDOK IDOK again
  StrCpy $R0 0
  Return
again:
  DetailPrint "$(closing)"
  ExecWait '"$INSTDIR\${WINDOW_EXE}" --quit' $R5
  ${For} $R6 1 24
    Call ${un}LookWhetherItRuns
    ${If} $R1 == 0
      Return
    ${EndIf}
    Sleep 250
  ${Next}
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(stillRunning)" /SD IDCANCEL IDRETRY again
  StrCpy $R0 0
FunctionEnd
!macroend
!insertmacro FUNCTIONS ""
!insertmacro FUNCTIONS "un."
