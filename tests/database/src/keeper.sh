# Runs the shared server until no test has used it for a minute. The server inherits the lock on
# `running`, so the lock is released when the server's last process exits.
folder=$1
shift
cd /
exec 9>> "$folder/running"
flock 9
"$@" &
server=$!
exec 9>&-
while sleep 10 && kill -0 "$server"; do
    exec 8>> "$folder/start"
    if [ -n "$(find "$folder/users" -mmin +1)" ] && flock -n 8 && flock -n "$folder/users" true; then
        kill -QUIT "$server"
        wait "$server"
        rm -rf "$folder/data" "$folder"/*.dump
        exit
    fi
    exec 8>&-
done
