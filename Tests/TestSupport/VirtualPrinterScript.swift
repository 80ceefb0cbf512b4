/// What keeps the servers of a `VirtualPrinter`: starts them, tells when they are ready, and ends them by their ids as soon
/// as its standard input closes, which it does however the test process ends.
///
/// Arguments: the folder, and a free port for each of the three printers.
let virtualPrinterScript = #"""
  root=$1
  pids=

  alive() {
    [ -d "/proc/$1" ] && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
  }

  stop() {
    for pid in $pids; do kill "$pid" 2>/dev/null; done
    for turn in $(seq 100); do
      left=
      for pid in $pids; do alive "$pid" && left="$left $pid"; done
      [ -z "$left" ] && break
      sleep 0.05
    done
    for pid in $left; do kill -KILL "$pid" 2>/dev/null; done
    rm -rf "$root"
    exit
  }

  fail() {
    echo "failed: $*"
    stop
  }

  # Handlers rather than ignored signals, which the servers would inherit.
  trap stop INT TERM HUP

  # Until a command succeeds, 20 seconds at most, or a server is found dead.
  until_succeeds() {
    for turn in $(seq 400); do
      "$@" >>"$root/log/setup" 2>&1 && return
      for pid in $pids; do alive "$pid" || fail "a server ended: $(tail -n 3 "$root"/log/*.out)"; done
      sleep 0.05
    done
    fail "no success with: $*: $(tail -n 3 "$root/log/setup")"
  }

  export PATH=$PATH:/usr/sbin:/sbin
  for program in cupsd dbus-daemon ippeveprinter lpadmin; do
    command -v $program >/dev/null || fail "$program is not installed"
  done

  umask 022
  mkdir -p "$root/etc/ppd" "$root/spool/tmp" "$root/cache" "$root/state" "$root/log" "$root/home" "$root/received"
  if [ "$(id -u)" = 0 ]; then chown -R lp:lp "$root/spool" "$root/cache" "$root/state" "$root/log"; fi

  cat >"$root/etc/cups-files.conf" <<END
  ServerRoot $root/etc
  RequestRoot $root/spool
  TempDir $root/spool/tmp
  CacheDir $root/cache
  StateDir $root/state
  ErrorLog $root/log/error_log
  AccessLog $root/log/access_log
  PageLog $root/log/page_log
  SystemGroup root
  END
  # The scheduler refuses to run filters as root.
  if [ "$(id -u)" = 0 ]; then printf 'User lp\nGroup lp\n' >>"$root/etc/cups-files.conf"; fi

  cat >"$root/etc/cupsd.conf" <<END
  Listen $root/cups.sock
  Browsing Off
  DefaultAuthType None
  WebInterface No
  LogLevel warn
  <Location />
  Order allow,deny
  Allow all
  </Location>
  <Location /admin>
  Order allow,deny
  Allow all
  </Location>
  <Policy default>
  JobPrivateValues none
  SubscriptionPrivateValues none
  <Limit All>
  Order allow,deny
  Allow all
  </Limit>
  </Policy>
  END

  # What a printer does with a document: keep it, and what was said about it. The last move makes both visible.
  cat >"$root/keep" <<END
  #!/bin/sh
  folder=\$(mktemp -d "$root/received/part-XXXXXX")
  cp "\$1" "\$folder/document"
  printf '%s\0' "\$CONTENT_TYPE" "\$IPP_JOB_NAME" "\$IPP_COPIES" "\$IPP_PRINT_COLOR_MODE" "\$IPP_SIDES" >"\$folder/ticket"
  mv "\$folder" "$root/received/job-\${folder##*part-}"
  END
  chmod 755 "$root/keep"

  export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$root/bus"
  export HOME="$root/home" CUPS_SERVER="$root/cups.sock" CUPS_SERVERROOT="$root/etc"
  unset LPDEST PRINTER

  cupsd -f -c "$root/etc/cupsd.conf" -s "$root/etc/cups-files.conf" >"$root/log/cupsd.out" 2>&1 </dev/null &
  pids="$pids $!"
  # The printers insist on a bus to announce themselves on, even when told not to.
  dbus-daemon --session --address="$DBUS_SYSTEM_BUS_ADDRESS" --nofork --nopidfile \
    >"$root/log/bus.out" 2>&1 </dev/null &
  pids="$pids $!"
  until_succeeds test -S "$root/bus"

  # name, port, formats, pages per minute (a second number makes it a colour printer)
  printer() {
    mkdir "$root/spool-$1"
    ippeveprinter -r off -n localhost -p "$2" -d "$root/spool-$1" -f "$3" -s "$4" -2 -c "$root/keep" "$1" \
      >"$root/log/$1.out" 2>&1 </dev/null &
    pids="$pids $!"
  }
  printer colour "$2" image/pwg-raster 10,10
  printer grey "$3" image/pwg-raster 10
  printer pdf "$4" application/pdf 10,10

  until_succeeds lpstat -r
  # The scheduler asks the printer what it can do in the background, after lpadmin has ended.
  queue() {
    until_succeeds lpadmin -p "$1" -E -v "ipp://localhost:$2/ipp/print" -m everywhere
    until_succeeds describes "$1" ''
  }
  describes() { lpoptions -p "$1" -l | grep -q "^PageSize/.*$2"; }
  queue colour "$2"
  until_succeeds lpadmin -p colour -o PageSize=A4
  until_succeeds describes colour '\*A4 '
  queue grey "$3"
  queue pdf "$4"
  for name in stopped rejecting; do
    until_succeeds lpadmin -p $name -E -v "ipp://localhost:$4/ipp/print"
  done
  until_succeeds cupsdisable -r 'out of paper' stopped
  until_succeeds cupsreject -r 'closed for today' rejecting

  echo ready
  # Nothing is ever sent: this ends when the other side is gone.
  read -r nothing
  stop
  """#
