@echo off
rem Plays Illusion on Windows: installs it into .venv the first time, then opens it in the browser. Needs Python 3.11 or newer.
setlocal
cd /d "%~dp0"
if not exist ".venv\Scripts\illusion.exe" (
  echo Installing the game into .venv, only the first time
  py -3 -m venv .venv || python -m venv .venv || goto no_python
  ".venv\Scripts\python" -m pip install --quiet --disable-pip-version-check --require-hashes -r locks\build.lock -r locks\play.lock || goto failed
  ".venv\Scripts\python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation . || goto failed
)
".venv\Scripts\illusion" play %*
goto :eof
:no_python
echo Python 3.11 or newer is missing: get it from python.org, then start this file again.
exit /b 1
:failed
echo It could not be installed. Is the network there? Then start this file again.
exit /b 1
