# Uses an Emscripten other than Debian 12's, for scripts/test. Source it after lib.sh.

FOREIGN=$ROOT/build/emscripten

# use_emscripten DIR: DIR contains emcc, or is a debootstrap directory of a Debian with
# the package emscripten. Sets EMSCRIPTEN for the wasm preset.
use_emscripten() {
	local dir root
	dir=$(realpath "$1")
	[ ! -d "$dir/usr/share/emscripten" ] || dir=$dir/usr/share/emscripten
	[ -f "$dir/cmake/Modules/Platform/Emscripten.cmake" ] || die "$1: no Emscripten in it"
	export EMSCRIPTEN=$dir
	root=${dir%/usr/share/emscripten}
	if [ -n "$root" ] && [ "$root" != "$dir" ]; then use_programs_below "$root"; fi
	say "Emscripten $(tr -d '"' <"$dir/emscripten-version.txt") in $dir"
}

# Another Debian's compilers run on this system with their own loader and libraries: no
# root, no chroot.
use_programs_below() {
	local root=$1 llvm program
	llvm=$(find "$root/usr/lib" -maxdepth 1 -name 'llvm-*' | sort -V | tail -n 1)
	[ -n "$llvm" ] || die "$root: no LLVM in usr/lib"
	rm -rf "$FOREIGN/bin"
	mkdir -p "$FOREIGN/bin"
	write_launcher "$root" "$llvm"
	for program in "$llvm"/bin/*; do
		ln -sf launch "$FOREIGN/bin/$(basename "$program")"
		ln -sf launch "$FOREIGN/bin/$(basename "$program")-${llvm##*-}"
	done
	for program in "$root"/usr/bin/wasm*; do
		ln -sf launch "$FOREIGN/bin/$(basename "$program")"
	done
	sed -e "s|^LLVM_ROOT = .*|LLVM_ROOT = '$FOREIGN/bin'|" \
		-e "s|^BINARYEN_ROOT = .*|BINARYEN_ROOT = '$FOREIGN'|" \
		-e "s|^NODE_JS = .*|NODE_JS = '$(command -v node)'|" \
		-e "/^EMSCRIPTEN_ROOT/d" \
		"$EMSCRIPTEN/.emscripten" >"$FOREIGN/config"
	export EM_CONFIG=$FOREIGN/config EMSDK_PYTHON=/usr/bin/python3
	# Debian's packages put the libraries that they build into one directory for all versions.
	EM_CACHE=$FOREIGN/cache-$(tr -d '"' <"$EMSCRIPTEN/emscripten-version.txt")
	export EM_CACHE
}

# clang locates its resources relative to the running program, which is the loader, and runs
# that again (-cc1) if it compiles several sources.
write_launcher() {
	local root=$1 llvm=$2 version=${2##*-}
	cat >"$FOREIGN/bin/launch" <<-END
		#!/bin/bash
		name=\$(basename "\$0" -$version)
		program=$llvm/bin/\$name options=()
		[ -e "\$program" ] || program=$root/usr/bin/\$name
		case \$name,\${1:-} in
		*,-cc1*) ;;
		clang,* | clang++,*)
			options=(-resource-dir $llvm/lib/clang/$version -no-canonical-prefixes) ;;
		esac
		exec $root/lib64/ld-linux-x86-64.so.2 --argv0 "\$0" \\
			--library-path $root/usr/lib/x86_64-linux-gnu:$llvm/lib "\$program" "\${options[@]}" "\$@"
	END
	chmod +x "$FOREIGN/bin/launch"
}
