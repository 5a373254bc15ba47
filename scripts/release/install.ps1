#Requires -Version 5.1
<#
.SYNOPSIS
Installs svc from the folder that this file is in; needs no network.
.DESCRIPTION
Checks svc against SHA256SUMS and copies it, with its completions, below -Prefix. With -PublicKey it installs only
a release that this key of minisign signed. -Uninstall takes away what was installed; indexes, settings and
credentials stay.
.EXAMPLE
powershell -ExecutionPolicy Bypass -File install.ps1
#>
[CmdletBinding()]
param(
  # Folder to install into.
  [string] $Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\svc'),
  # Public key of minisign, or its file; needs minisign.
  [string] $PublicKey = '',
  # Take away what was installed.
  [switch] $Uninstall
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
$folder = Split-Path -Parent $MyInvocation.MyCommand.Path
$program = Join-Path $Prefix 'svc.exe'
$completions = Join-Path $Prefix 'svc.ps1'

function Stop-Installation([string] $Message) {
  [Console]::Error.WriteLine("install.ps1: $Message")
  exit 1
}

# The sum of a file of the release, as SHA256SUMS has it.
function Get-ReleasedSum([string] $Name) {
  foreach ($line in Get-Content -LiteralPath (Join-Path $folder 'SHA256SUMS')) {
    $sum, $file = $line -split ' [ *]', 2
    if ($file -eq $Name) { return $sum }
  }
  Stop-Installation "SHA256SUMS does not name ${Name}: download the release again."
}

function Confirm-File([string] $Name) {
  $wanted = Get-ReleasedSum $Name
  $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $folder $Name)).Hash.ToLowerInvariant()
  if ($actual -ne $wanted) {
    Stop-Installation "$Name is damaged or not the released file: its SHA-256 is $actual, SHA256SUMS has $wanted. Nothing was installed; download it again."
  }
}

function Confirm-Signature {
  $signature = Join-Path $folder 'SHA256SUMS.minisig'
  if ($PublicKey -eq '') {
    if (Test-Path -LiteralPath $signature) {
      Write-Output 'The signature of this release was not verified: see -PublicKey.'
    }
    return
  }
  if (-not (Get-Command minisign -ErrorAction SilentlyContinue)) {
    Stop-Installation 'minisign is not installed, so the signature cannot be verified: install minisign, or leave out -PublicKey.'
  }
  if (-not (Test-Path -LiteralPath $signature)) {
    Stop-Installation "the release is not signed: there is no SHA256SUMS.minisig in $folder."
  }
  $option = if (Test-Path -LiteralPath $PublicKey) { '-p' } else { '-P' }
  & minisign -V -q $option $PublicKey -m (Join-Path $folder 'SHA256SUMS') -x $signature
  if ($LASTEXITCODE -ne 0) {
    Stop-Installation 'SHA256SUMS is not signed by this key. Nothing was installed; get the release again from its publisher.'
  }
}

if ($Uninstall) {
  if (-not (Test-Path -LiteralPath $program)) {
    Stop-Installation "there is no svc in $Prefix. Was it installed with another -Prefix?"
  }
  Remove-Item -Force -LiteralPath $program
  foreach ($file in $completions, "$program.old") {
    if (Test-Path -LiteralPath $file) { Remove-Item -Force -LiteralPath $file }
  }
  Write-Output "svc is removed from $Prefix. Indexes, settings and credentials are kept."
  exit 0
}

if (-not (Test-Path -LiteralPath (Join-Path $folder 'SHA256SUMS'))) {
  Stop-Installation 'there is no SHA256SUMS next to this file: download the whole release.'
}
$processor = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'arm64' } else { 'x64' }
$found = @(Get-ChildItem -LiteralPath $folder -File -Filter "svc-*-win-$processor.exe")
if ($found.Count -eq 0 -and $processor -eq 'arm64') {
  # Windows on ARM runs programs for x64.
  $found = @(Get-ChildItem -LiteralPath $folder -File -Filter 'svc-*-win-x64.exe')
}
if ($found.Count -eq 0) { Stop-Installation "there is no svc-VERSION-win-$processor.exe in $folder." }
if ($found.Count -gt 1) { Stop-Installation "there are several releases in ${folder}: keep one." }

# All is checked before anything is written.
Confirm-Signature
Confirm-File $found[0].Name
$shell = Join-Path $folder 'completions\svc.ps1'
if (Test-Path -LiteralPath $shell) {
  $wanted = Get-ReleasedSum 'completions/svc.ps1'
  $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $shell).Hash.ToLowerInvariant()
  if ($actual -ne $wanted) { Stop-Installation 'completions/svc.ps1 is damaged: download the release again.' }
}

New-Item -ItemType Directory -Force -Path $Prefix | Out-Null
$draft = "$program.new"
Copy-Item -Force -LiteralPath $found[0].FullName -Destination $draft
if (Test-Path -LiteralPath $program) {
  # Windows does not replace a program that runs, but renames it.
  $old = "$program.old"
  if (Test-Path -LiteralPath $old) { Remove-Item -Force -LiteralPath $old }
  Move-Item -LiteralPath $program -Destination $old
}
Move-Item -LiteralPath $draft -Destination $program
if (Test-Path -LiteralPath $shell) { Copy-Item -Force -LiteralPath $shell -Destination $completions }

$version = & $program --version
if ($LASTEXITCODE -ne 0) { Stop-Installation "$program is installed but does not run here." }
Write-Output "svc $version is installed: $program"
if (($env:Path -split ';') -notcontains $Prefix) {
  Write-Output "$Prefix is not in your PATH. To add it for this account, run this, and open a new window:"
  Write-Output "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$Prefix', 'User')"
}
if (Test-Path -LiteralPath $completions) {
  Write-Output "For completions, add this line to your `$PROFILE: . '$completions'"
}
