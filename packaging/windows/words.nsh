; What the installer says, Korean and English. Every name stands in both.
!macro WORDS name korean english
  LangString ${name} ${LANG_KOREAN} "${korean}"
  LangString ${name} ${LANG_ENGLISH} "${english}"
!macroend

!insertmacro WORDS name "라이프 헬퍼" "LifeHelper"
!insertmacro WORDS otherName "LifeHelper" "라이프 헬퍼"
!insertmacro WORDS comment "내 컴퓨터 안에서만 사는 습관 코치" "A habit coach that lives on your own machine"
!insertmacro WORDS welcome \
  "내 컴퓨터 안에서만 움직이는 습관 코치, 라이프 헬퍼(${VERSION})를 설치해요.$\r$\n$\r$\n지금 쓰는 사용자에게만 설치하고, 관리자 권한은 필요 없어요. 이미 쓰고 있었다면 습관 기록은 그대로 이어져요.$\r$\n$\r$\n$_CLICK" \
  "This installs LifeHelper ${VERSION}, a habit coach that works on your own machine only.$\r$\n$\r$\nIt is installed for you alone and needs no administrator. If you have used it before, your records stay as they are.$\r$\n$\r$\n$_CLICK"
!insertmacro WORDS finish \
  "라이프 헬퍼가 설치됐어요. 시작 메뉴에서도 열 수 있어요. 인터넷 없이도 코치와 이야기할 수 있어요." \
  "LifeHelper is installed. You also find it in the Start menu. The coach works without the internet."
!insertmacro WORDS program "라이프 헬퍼" "LifeHelper"
!insertmacro WORDS programWords "프로그램과 기본 코치예요." "The program and its starter coach."
!insertmacro WORDS unProgramWords "프로그램을 지워요. 습관 기록은 남아요." "Removes the program. Your records stay."
!insertmacro WORDS desktopIcon "바탕 화면 바로 가기" "Desktop shortcut"
!insertmacro WORDS desktopWords "바탕 화면에 바로 가기를 둬요." "Puts a shortcut on the desktop."
!insertmacro WORDS records "내 기록도 지우기" "Delete my records too"
!insertmacro WORDS recordsWords \
  "습관 기록, 대화, 설정, 백업, 받은 모델을 모두 지워요." \
  "Deletes habits, chats, settings, backups and downloaded models."
!insertmacro WORDS reallyRecords \
  "습관 기록, 대화, 설정, 백업, 받은 모델을 모두 지울까요? 되돌릴 수 없어요." \
  "Delete all habits, chats, settings, backups and downloaded models? This cannot be undone."
!insertmacro WORDS modelFile "GGUF 모델" "GGUF model"
!insertmacro WORDS isRunning \
  "라이프 헬퍼가 켜져 있어요. 닫고 이어 갈까요?$\r$\n$\r$\n기록은 이미 저장되어 있어요. 적고 있던 글이 있으면 먼저 저장해 주세요." \
  "LifeHelper is running. Close it and go on?$\r$\n$\r$\nYour records are saved already. Save what you are writing first."
!insertmacro WORDS closing "켜져 있는 라이프 헬퍼를 닫는 중…" "Closing the running LifeHelper…"
!insertmacro WORDS stillRunning \
  "라이프 헬퍼가 아직 켜져 있어요. 창과 트레이 아이콘, 라이프 헬퍼의 도구를 쓰는 다른 프로그램을 닫은 뒤 다시 시도해 주세요." \
  "LifeHelper is still running. Close its window, its tray icon, and other programs that use its tools, then try again."
!insertmacro WORDS notClosed \
  "라이프 헬퍼가 켜져 있어서 멈췄어요. 바뀐 것은 없어요." \
  "Stopped, because LifeHelper is running. Nothing was changed."
!insertmacro WORDS notThere \
  "이 폴더에는 습관 기록이 있어요. 다른 폴더를 골라 주세요." \
  "Your records are in this folder. Please choose another one."
!insertmacro WORDS tooOld \
  "라이프 헬퍼에는 64비트 Windows 10(1809) 이상이 필요해요." \
  "LifeHelper needs 64-bit Windows 10 (1809) or newer."
!insertmacro WORDS newer \
  "더 새로운 라이프 헬퍼($R1)가 이미 있어요. 그래도 ${VERSION} 버전을 설치할까요?$\r$\n$\r$\n새 버전으로 남긴 기록은 옛 버전에서 열리지 않을 수 있어요." \
  "A newer LifeHelper ($R1) is installed. Install ${VERSION} all the same?$\r$\n$\r$\nThe older version may not be able to open what the newer one has recorded."
!insertmacro WORDS alreadyOpen \
  "라이프 헬퍼를 설치하거나 지우는 창이 이미 열려 있어요." \
  "LifeHelper is being installed or removed already."
!insertmacro WORDS notEmpty \
  "이 폴더에는 다른 파일이 있어요. 비어 있는 폴더나 새 폴더를 골라 주세요." \
  "There are other files in this folder. Please choose an empty or a new one."
!insertmacro WORDS elsewhere \
  "라이프 헬퍼가 이미 $R2에 있어요. 그 폴더를 고르거나, 먼저 지운 뒤 다시 설치해 주세요. 기록은 지워지지 않아요." \
  "LifeHelper is installed in $R2 already. Choose that folder, or uninstall it first; your records stay."
!insertmacro WORDS tooLong \
  "폴더의 경로가 너무 길어요. 더 짧은 곳을 골라 주세요." \
  "The path of this folder is too long. Please choose a shorter one."
!insertmacro WORDS notWritten \
  "파일을 쓰지 못해서 멈췄어요. 남은 공간을 살펴봐 주세요. 바뀐 것은 없어요." \
  "Stopped, because a file could not be written. Please check the free space. Nothing was changed."
