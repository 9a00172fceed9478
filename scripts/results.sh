# Counts test cases by place, for scripts/test. Source it after lib.sh.

RESULTS=$ROOT/build/test-results
PLACES=(lint native python wasm node browser firefox webkit)

# record PLACE PASSED FAILED SKIPPED
record() { printf '%s\n' "$2 $3 $4" >>"$RESULTS/$1.counts"; }

# Seconds of each stage, as "STAGE build|run SECONDS" lines.
TIMES=$RESULTS/times
STAGE=setup

# logged NAME COMMAND..: writes output to a log file; prints it if the command fails. Adds
# the time to the stage's, as building if it was called by `must`.
logged() {
	local name=$1 log=$RESULTS/$1.log seconds=$SECONDS ok=true
	shift
	"$@" >"$log" 2>&1 || ok=false
	seconds=$((SECONDS - seconds))
	printf '%s %s %s\n' "$STAGE" "${KIND:-run}" "$seconds" >>"$TIMES"
	if $ok; then
		say "$name: done in $seconds s"
		return 0
	fi
	tail -n 200 "$log"
	say "$name: FAILED after $seconds s: $*"
	return 1
}

# check PLACE NAME COMMAND..: runs a command that counts as one case.
check() {
	local place=$1
	shift
	if logged "$@"; then record "$place" 1 0 0; else record "$place" 0 1 0; fi
}

# must PLACE NAME COMMAND..: runs a build, which counts only if it fails.
must() {
	local place=$1 KIND=build
	shift
	logged "$@" || {
		record "$place" 0 1 0
		return 1
	}
}

# Sums the numbers before `word` in the summary lines of a doctest program.
doctest_sum() {
	sed -n "s/.*test cases:.* \([0-9]*\) $1.*/\1/p" "$2" | awk '{ sum += $1 } END { print sum + 0 }'
}

# in_parts CASES COMMAND..: runs a doctest program's cases in parts, one per processor
# at a time. Slow cases are adjacent, so there are many parts; most of them are among the
# last, which therefore begin first.
DOCTEST_PARTS=32
in_parts() {
	local size=$((($1 + DOCTEST_PARTS - 1) / DOCTEST_PARTS)) logs=$RESULTS/parts ok=true
	rm -rf "$logs" && mkdir -p "$logs"
	seq 1 "$size" "$1" | tac | xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -I{} bash -c \
		'"${@:4}" --no-colors --first="$1" --last="$(($1 + $2 - 1))" >"$3/$1.log" 2>&1' \
		part {} "$size" "$logs" "${@:2}" || ok=false
	cat "$logs"/*.log
	$ok || awk 'BEGIN { RS = "====+\n" } /ERROR:/' "$logs"/*.log # once more, where it is seen
	$ok
}

# doctest PLACE NAME COMMAND..: counts the cases of a doctest program. Cases without
# golden files print a line "[skipped] <case>" and pass. (The count of passed cases in a
# part refers to the whole program, so it is not used.)
doctest() {
	local place=$1 name=$2 log=$RESULTS/$2.log cases failed skipped summaries ok=true
	shift 2
	cases=$("$@" --no-colors --count | sed -n 's/.*filters: *\([0-9]*\).*/\1/p') || true
	logged "$name" in_parts "${cases:=1}" "$@" || ok=false
	failed=$(doctest_sum failed "$log")
	skipped=$(grep -c '^\[skipped\] ' "$log" || true)
	summaries=$(grep -c 'test cases:' "$log" || true)
	[ "$summaries" = "$(find "$RESULTS/parts" -name '*.log' | wc -l)" ] || ok=false # a crash
	if ! $ok && [ "$failed" = 0 ]; then failed=1; fi # outside of a case
	record "$place" $((cases - failed - skipped)) "$failed" "$skipped"
}

# ctests PLACE NAME PRESET [OPTION of ctest]..: counts the CTest tests other than the
# doctest program.
ctests() {
	local place=$1 name=$2 preset=$3 junit=$RESULTS/$2.xml ok=true total failed skipped
	logged "$name" ctest --preset "$preset" --exclude-regex '^unit$' --no-tests=ignore \
		--parallel "$CMAKE_BUILD_PARALLEL_LEVEL" --output-junit "$junit" "${@:4}" || ok=false
	total=$(junit_count tests "$junit")
	failed=$(junit_count failures "$junit")
	skipped=$(($(junit_count skipped "$junit") + $(junit_count disabled "$junit")))
	if ! $ok && [ "$failed" = 0 ]; then failed=1; fi
	record "$place" $((total - failed - skipped)) "$failed" "$skipped"
}

junit_count() {
	local count
	count=$(sed -n "s/^[[:space:]]*$1=\"\([0-9]*\)\".*/\1/p" "$2" 2>/dev/null | head -n 1)
	echo "${count:-0}"
}

# pytests PLACE NAME COMMAND..: runs pytest, or a program that passes its arguments to
# pytest, and counts the tests. Says how many were skipped and why.
pytests() {
	local place=$1 name=$2 junit=$RESULTS/$2.xml ok=true counts
	shift 2
	rm -f "$junit"
	logged "$name" "$@" --junit-xml="$junit" || ok=false
	counts=$(python3 scripts/python/junit.py "$junit") || counts="0 1 0"
	$ok || [ "$(cut -d' ' -f2 <<<"$counts")" != 0 ] || counts="${counts% 0 *} 1 ${counts##* }"
	# shellcheck disable=SC2086 # three words
	record "$place" $counts
}

# vitest PLACE NAME SCRIPT [FILTER]..: runs a Vitest npm script of web/, limited to files whose
# path contains a filter, and counts its cases. Names those that failed or were tried twice.
vitest() {
	local place=$1 name=$2 script=$3 json=$RESULTS/$2.json ok=true counts
	rm -f "$json"
	logged "$name" npm --prefix web run "$script" -- "${@:4}" --reporter=default --reporter=json \
		--outputFile.json="$json" || ok=false
	counts=$(node scripts/vitest-results.mjs "$json") || counts="0 1 0"
	$ok || [ "$(cut -d' ' -f2 <<<"$counts")" != 0 ] || counts="${counts% 0 *} 1 ${counts##* }"
	# shellcheck disable=SC2086 # three words
	record "$place" $counts
}

# Prints the seconds of each stage, building apart from running, and their sum; then the
# share of compilations that ccache spared.
print_times() {
	awk '!($1 in seen) { seen[$1] = 1; order[++n] = $1 } { t[$1, $2] += $3; sum[$2] += $3 }
		function line(name, b, r) { printf "%-10s %5d s building %5d s running\n", name, b, r }
		END { for (i = 1; i <= n; ++i) line(order[i], t[order[i], "build"], t[order[i], "run"])
			line("sum", sum["build"], sum["run"]) }' "$TIMES"
	if [ -s "${CCACHE_STATSLOG:-}" ]; then
		ccache --show-log-stats | sed -n 's/^ *\(Hits\|Cacheable calls\): */compiler cache: \L\1 /p' || true
	fi
}

# Prints the table by place, then the sum as the last line; fails if a case failed.
print_results() {
	local place
	for place in "${PLACES[@]}"; do
		[ -f "$RESULTS/$place.counts" ] || continue
		awk -v place="$place" '{ p += $1; f += $2; s += $3 }
			END { printf "%-8s %5d passed %5d failed %5d skipped\n", place, p, f, s }' \
			"$RESULTS/$place.counts"
	done
	cat "$RESULTS"/*.counts | awk '{ p += $1; f += $2; s += $3 }
		END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }'
}
