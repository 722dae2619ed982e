; The installer for Windows: 64-bit, for one user, no administrator. make_installer.py compiles it and gives the
; definitions VERSION, VERSION4, OUT, ICON, PICTURE, WORK, SIZE_KB, LONGEST (the letters of the longest path inside), and
; the lists of files FILES (what is installed) and UNFILES (what the uninstaller removes: exactly that, so that nothing of
; the user's is ever deleted by it).
; The NSIS that is published for Windows can only make an installer that is a 32-bit program itself; Debian's has both.
; That one installs the same: what is used here of files and registry is one for both kinds of programs.
!if /FileExists "${NSISDIR}/Stubs/lzma_solid-amd64-unicode"
  Target amd64-unicode
!else
  Target x86-unicode
!endif
Unicode true
!include "MUI2.nsh"
!include "x64.nsh"
!include "WinVer.nsh"
!include "LogicLib.nsh"
!include "FileFunc.nsh"
!include "WordFunc.nsh"
!include "Sections.nsh"

!define ID "LifeHelper"
!define WINDOW_EXE "lifehelper-desktop.exe"
!define COMMAND_EXE "lifehelper.exe"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"
!define APPROVED_KEY "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define MODEL_TYPE "LifeHelper.gguf"
!define DATA "$LOCALAPPDATA\${ID}"
; What the desktop library writes there, so that Windows shows our notifications under our name.
!define NOTIFICATIONS_KEY "Software\Classes\AppUserModelId\${ID}"
; Where the files of an older version wait until the new ones are all there, and the file that says that they are whole:
; it is made before the first one is moved and removed when the new ones are all there.
!define ASIDE "$INSTDIR\_previous"
!define UNDO "${ASIDE}\undo"
; Windows takes no longer path from a program that has not asked for it.
!define LONGEST_PATH 259
Var begun ; 1 while files of the first installation are written: they are removed when it fails

Name "$(name)"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${ID}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
RequestExecutionLevel user
SetDateSave off
; With "skip" a file that cannot be written would be left out, without a window even unasked, and all would seem well.
AllowSkipFiles off
SetCompressor /SOLID ${COMPRESSOR}
BrandingText "LifeHelper ${VERSION}"
ManifestDPIAware true
ManifestSupportedOS Win10

VIProductVersion "${VERSION4}"
VIAddVersionKey /LANG=0 "ProductName" "LifeHelper"
VIAddVersionKey /LANG=0 "CompanyName" "LifeHelper"
VIAddVersionKey /LANG=0 "FileDescription" "LifeHelper setup"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "LegalCopyright" "LifeHelper"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_WELCOMEFINISHPAGE_BITMAP_STRETCH AspectFitHeight
!define MUI_ABORTWARNING
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_WELCOMEPAGE_TEXT "$(welcome)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${WINDOW_EXE}"
!define MUI_FINISHPAGE_TEXT "$(finish)"
!define MUI_CUSTOMFUNCTION_ABORT PutBack

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE $(terms)
!insertmacro MUI_PAGE_COMPONENTS
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE CheckFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Korean"
!include "words.nsh"
LicenseLangString terms ${LANG_KOREAN} "${WORK}/terms-ko.txt"
LicenseLangString terms ${LANG_ENGLISH} "${WORK}/terms-en.txt"

!include "both.nsh"
; ---- installing -------------------------------------------------------------------------------------------------

Function .onInit
  Call ReadLanguage
  Call OnlyOne
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
  ${OrIfNot} ${AtLeastBuild} 17763
    MessageBox MB_OK|MB_ICONSTOP "$(tooOld)" /SD IDOK
    SetErrorLevel 3
    Quit
  ${EndIf}
  ; An older version may not be able to read what a newer one has recorded.
  ReadRegStr $R1 HKCU "${UNINSTALL_KEY}" "DisplayVersion"
  ${If} $R1 != ""
    ${VersionCompare} "$R1" "${VERSION}" $R2
    ${If} $R2 == 1
      MessageBox MB_OKCANCEL|MB_ICONEXCLAMATION|MB_DEFBUTTON2 "$(newer)" /SD IDCANCEL IDOK older
      SetErrorLevel 2
      Quit
      older:
    ${EndIf}
  ${EndIf}
FunctionEnd

; Leave in $R9 what speaks against $INSTDIR; nothing where it is new, empty, or ours.
Function LookAtFolder
  StrCpy $R9 ""
  StrLen $R2 "${DATA}\"
  StrCpy $R3 "$INSTDIR\" $R2
  ${If} $R3 == "${DATA}\"
    StrCpy $R9 "$(notThere)"
    Return
  ${EndIf}
  StrLen $R2 "${ASIDE}\"
  IntOp $R2 $R2 + ${LONGEST}
  ${If} $R2 > ${LONGEST_PATH}
    StrCpy $R9 "$(tooLong)"
    Return
  ${EndIf}
  ReadRegStr $R2 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $R2 == $INSTDIR
    Return
  ${EndIf}
  ${If} $R2 != ""
  ${AndIf} ${FileExists} "$R2\${WINDOW_EXE}"
  ${OrIf} ${FileExists} "$R2\_previous\undo" ; or an upgrade there was broken off
    StrCpy $R9 "$(elsewhere)"
    Return
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\${WINDOW_EXE}"
    Return
  ${EndIf}
  ; The files of another program would be overwritten, and removed with ours.
  FindFirst $R3 $R4 "$INSTDIR\*"
  ${DoWhile} $R4 != ""
    ${If} $R4 != "."
    ${AndIf} $R4 != ".."
    ${AndIf} $R4 != "_internal"
    ${AndIf} $R4 != "_previous"
    ${AndIf} $R4 != "${COMMAND_EXE}"
    ${AndIf} $R4 != "uninstall.exe"
      StrCpy $R9 "$(notEmpty)"
    ${EndIf}
    FindNext $R3 $R4
  ${Loop}
  FindClose $R3
FunctionEnd

Function CheckFolder
  Call LookAtFolder
  ${If} $R9 != ""
    MessageBox MB_OK|MB_ICONEXCLAMATION "$R9" /SD IDOK
    Abort
  ${EndIf}
FunctionEnd

!macro PUT_ASIDE NAME
  ${If} ${FileExists} "$INSTDIR\${NAME}"
    Rename "$INSTDIR\${NAME}" "${ASIDE}\${NAME}"
  ${EndIf}
!macroend

; Move the older version aside; the error flag tells that some of it did not move.
Function PutAside
  RMDir /r "${ASIDE}" ; without its mark it is what an upgrade that went well could not remove
  CreateDirectory "${ASIDE}"
  ClearErrors
  FileOpen $R4 "${UNDO}" w
  FileClose $R4
  !insertmacro PUT_ASIDE "_internal"
  !insertmacro PUT_ASIDE "${WINDOW_EXE}"
  !insertmacro PUT_ASIDE "${COMMAND_EXE}"
  !insertmacro PUT_ASIDE "uninstall.exe"
FunctionEnd

!macro PUT_BACK NAME
  ${If} ${FileExists} "${ASIDE}\${NAME}" ; else it was never moved, or is back already
    RMDir /r "$INSTDIR\${NAME}"
    Delete "$INSTDIR\${NAME}"
    Rename "${ASIDE}\${NAME}" "$INSTDIR\${NAME}"
  ${EndIf}
!macroend

; Undo what was begun: the older version stays as it was, and of a first installation nothing stays.
Function PutBack
  ${If} ${FileExists} "${UNDO}"
    SetOutPath "$INSTDIR" ; a folder that one stands in cannot be removed
    ClearErrors
    !insertmacro PUT_BACK "_internal"
    !insertmacro PUT_BACK "${WINDOW_EXE}"
    !insertmacro PUT_BACK "${COMMAND_EXE}"
    !insertmacro PUT_BACK "uninstall.exe"
    ${IfNot} ${FileExists} "${ASIDE}\_internal"
    ${AndIfNot} ${FileExists} "${ASIDE}\*.exe"
      Delete "${UNDO}"
      RMDir "${ASIDE}"
    ${EndIf}
  ${ElseIf} $begun == 1
    SetOutPath "$TEMP"
    !include "${UNFILES}"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
  ${EndIf}
  StrCpy $begun 0
FunctionEnd

Function .onInstFailed
  Call PutBack
FunctionEnd

Section "!$(program)" PROGRAM
  SectionIn RO
  Call LookAtFolder ; without a window no page has done it
  ${If} $R9 != ""
    SetErrorLevel 2
    Abort "$R9"
  ${EndIf}
  Call CloseRunning
  ${If} $R0 == 0
    SetErrorLevel 2
    Abort "$(notClosed)"
  ${EndIf}
  ; An attempt that was broken off by the end of the machine left the older version aside: that is the good one.
  Call PutBack
  ${If} ${FileExists} "${UNDO}"
    SetErrorLevel 2
    Abort "$(notClosed)"
  ${EndIf}
  ReadRegStr $R2 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} ${FileExists} "$INSTDIR\${WINDOW_EXE}"
  ${OrIf} $R2 == $INSTDIR ; a virus scanner may have taken the program away
    Call PutAside
    ${If} ${Errors}
      SetErrorLevel 2
      Abort "$(notClosed)"
    ${EndIf}
  ${EndIf}
  StrCpy $begun 1
  SetOverwrite on
  !include "${FILES}"
  SetOutPath "$INSTDIR"
  ClearErrors
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    SetErrorLevel 2
    Abort "$(notWritten)"
  ${EndIf}
  Delete "${UNDO}" ; from here on the new version is the good one
  StrCpy $begun 0
  RMDir /r "${ASIDE}"

  Delete "$SMPROGRAMS\$(otherName).lnk"
  CreateShortcut "$SMPROGRAMS\$(name).lnk" "$INSTDIR\${WINDOW_EXE}" "" "$INSTDIR\${WINDOW_EXE}" 0 SW_SHOWNORMAL "" "$(comment)"

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "$(name)"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "LifeHelper"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${WINDOW_EXE},0"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1

  ; Model files may be opened with the program; another program's place as the usual one is not taken.
  WriteRegStr HKCU "Software\Classes\${MODEL_TYPE}" "" "$(modelFile)"
  WriteRegStr HKCU "Software\Classes\${MODEL_TYPE}\DefaultIcon" "" "$INSTDIR\${WINDOW_EXE},0"
  WriteRegStr HKCU "Software\Classes\${MODEL_TYPE}\shell\open\command" "" '"$INSTDIR\${WINDOW_EXE}" "%1"'
  WriteRegStr HKCU "Software\Classes\.gguf\OpenWithProgids" "${MODEL_TYPE}" ""
  ${RefreshShellIcons}
SectionEnd

Section /o "$(desktopIcon)" DESKTOP
  CreateShortcut "$DESKTOP\$(name).lnk" "$INSTDIR\${WINDOW_EXE}"
SectionEnd

; ---- uninstalling -----------------------------------------------------------------------------------------------

Section "!un.$(program)" UN_PROGRAM
  SectionIn RO
  Call un.CloseRunning
  ${If} $R0 == 0
    SetErrorLevel 2
    Abort "$(notClosed)"
  ${EndIf}
  !include "${UNFILES}"
  ; Left by an upgrade that was broken off.
  RMDir /r "${ASIDE}\_internal"
  Delete "${ASIDE}\${WINDOW_EXE}"
  Delete "${ASIDE}\${COMMAND_EXE}"
  Delete "${ASIDE}\uninstall.exe"
  Delete "${UNDO}"
  RMDir "${ASIDE}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\$(name).lnk"
  Delete "$SMPROGRAMS\$(otherName).lnk"
  Delete "$DESKTOP\$(name).lnk"
  Delete "$DESKTOP\$(otherName).lnk"
  DeleteRegValue HKCU "${RUN_KEY}" "${ID}"
  DeleteRegValue HKCU "${APPROVED_KEY}" "${ID}"
  DeleteRegValue HKCU "Software\Classes\.gguf\OpenWithProgids" "${MODEL_TYPE}"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf\OpenWithProgids" ; other programs' values keep it
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf"
  DeleteRegKey HKCU "Software\Classes\${MODEL_TYPE}"
  DeleteRegKey HKCU "${NOTIFICATIONS_KEY}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ${un.RefreshShellIcons}
SectionEnd

Section /o "un.$(records)" UN_RECORDS
  MessageBox MB_YESNO|MB_ICONEXCLAMATION|MB_DEFBUTTON2 "$(reallyRecords)" /SD IDYES IDNO keep
  RMDir /r "${DATA}"
keep:
SectionEnd

Function un.onInit
  Call un.ReadLanguage
  Call un.OnlyOne
  ${GetParameters} $R0
  ; Without a window: /S keeps the records, /S /REMOVEDATA does not.
  ClearErrors
  ${GetOptions} $R0 "/REMOVEDATA" $R1
  ${IfNot} ${Errors}
  ${AndIf} ${Silent}
    !insertmacro SelectSection ${UN_RECORDS}
  ${EndIf}
FunctionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${PROGRAM} "$(programWords)"
  !insertmacro MUI_DESCRIPTION_TEXT ${DESKTOP} "$(desktopWords)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END
!insertmacro MUI_UNFUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${UN_PROGRAM} "$(unProgramWords)"
  !insertmacro MUI_DESCRIPTION_TEXT ${UN_RECORDS} "$(recordsWords)"
!insertmacro MUI_UNFUNCTION_DESCRIPTION_END
