# On a real Windows: install silently, start, upgrade over the running program, uninstall; the records stay.
param([Parameter(Mandatory)][string]$Setup)
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest

$program = Join-Path $env:LOCALAPPDATA "Programs\LifeHelper"
$window = Join-Path $program "lifehelper-desktop.exe"
$database = Join-Path $env:LOCALAPPDATA "LifeHelper\lifehelper.db"
$classes = "HKCU:\Software\Classes"
$type = "LifeHelper.gguf"
$key = "HKCU:\Software\Microsoft\Windows\CurrentVersion\Uninstall\LifeHelper"

function Assert-True([bool]$Value, [string]$Words) {
    if (-not $Value) { throw "FAIL $Words" }
    Write-Output "ok   $Words"
}

function Invoke-And-Wait([string]$File, [string[]]$Arguments) {
    $process = Start-Process -FilePath $File -ArgumentList $Arguments -PassThru -Wait
    return $process.ExitCode
}

# It ends with an uninstallation: not on a machine where somebody uses the program.
if ((Test-Path $key) -or (Test-Path $database)) { throw "LifeHelper is in use here; run this on a machine without it" }

Assert-True ((Invoke-And-Wait $Setup @("/S")) -eq 0) "silent install"
Assert-True (Test-Path $window) "the program is there"
Assert-True ((Get-ItemProperty $key).EstimatedSize -gt 100000) "the uninstall entry tells the size"
Assert-True ((Get-ItemProperty "$classes\.gguf\OpenWithProgids").PSObject.Properties.Name -contains $type) "model files can be opened with it"
Assert-True ((Get-Item $window).VersionInfo.ProductVersion -eq (Get-ItemProperty $key).DisplayVersion) "the program is of the version that the entry tells"

$running = Start-Process -FilePath $window -PassThru
$deadline = (Get-Date).AddSeconds(60)
while (-not (Test-Path $database)) {
    if ((Get-Date) -gt $deadline) { throw "FAIL the program made no database" }
    Start-Sleep -Milliseconds 200
}
Start-Sleep -Seconds 5
Assert-True (-not $running.HasExited) "it runs"
Assert-True ((Invoke-And-Wait $Setup @("/S")) -eq 0) "install over the running program"
Assert-True $running.HasExited "the running program has ended"
Assert-True (Test-Path $database) "the records are there"

$uninstall = Join-Path $program "uninstall.exe"
Assert-True ((Invoke-And-Wait $uninstall @("/S", "_?=$program")) -eq 0) "uninstall"
Assert-True (-not (Test-Path $window)) "the program is gone"
Assert-True (-not (Test-Path $key)) "the uninstall entry is gone"
Assert-True (-not (Test-Path "$classes\$type")) "model files know it no more"
Assert-True (Test-Path $database) "the records stay"
