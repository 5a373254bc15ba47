/** Top-level modules of Python 3's standard library, and those that only Python 2 had. */
export const PYTHON_STANDARD: ReadonlySet<string> = new Set(
  `__future__ __main__ _thread abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
   binascii binhex bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
   compileall compression concurrent configparser contextlib contextvars copy copyreg cProfile crypt csv ctypes
   curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
   faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc getopt getpass gettext glob
   graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
   itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
   modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os
   ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
   profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy
   sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
   sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
   symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
   tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
   urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
   zipimport zlib zoneinfo
   __builtin__ cPickle cStringIO ConfigParser HTMLParser httplib Queue SocketServer StringIO thread Tkinter urllib2
   urlparse UserDict`
    .trim()
    .split(/\s+/),
);
