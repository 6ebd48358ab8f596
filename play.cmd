@echo off
rem Plays Illusion on Windows: installs it into .venv the first time, then opens it in the browser. Needs Python 3.11 or newer.
setlocal
cd /d "%~dp0"
if exist ".venv\Scripts\illusion.exe" goto play
echo Installing the game into .venv, only the first time
py -3 -m venv .venv 2>nul
if errorlevel 1 python -m venv .venv
if errorlevel 1 goto no_python
".venv\Scripts\python" -c "import sys; sys.exit(sys.version_info < (3, 11))"
if errorlevel 1 goto no_python
".venv\Scripts\python" -m pip install --quiet --disable-pip-version-check --require-hashes -r locks\build.lock -r locks\play.lock
if errorlevel 1 goto failed
".venv\Scripts\python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation .
if errorlevel 1 goto failed
:play
".venv\Scripts\illusion" play %*
goto :eof
:no_python
echo Python 3.11 or newer is missing: get it from python.org, then start this file again.
exit /b 1
:failed
echo It could not be installed. Is the network there? Then start this file again.
exit /b 1
