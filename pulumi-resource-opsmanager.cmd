@echo off
setlocal DisableDelayedExpansion
node "%~dp0pulumi-resource-opsmanager" %*
