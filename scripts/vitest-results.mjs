// Prints how many cases of a Vitest run passed, failed and were skipped, as three words.
// Names on stderr those that failed and those that passed only on a second try.
//
//   node scripts/vitest-results.mjs RESULTS.json
import { readFileSync } from "node:fs";

const results = JSON.parse(readFileSync(process.argv[2], "utf8"));
const cases = results.testResults.flatMap((file) =>
	file.assertionResults.map((it) => ({ ...it, file: file.name.split("/").at(-1) })),
);

function name(title, list) {
	for (const { file, fullName, failureMessages } of list) {
		console.error(`${title}: ${file}: ${fullName}`);
		console.error(`  ${failureMessages[0]?.split("\n")[0] ?? "no message"}`);
	}
}

const failed = cases.filter((it) => it.status === "failed");
const again = cases.filter(
	(it) => it.status === "passed" && it.failureMessages.length > 0,
);
name("passed on a second try", again);
name("failed", failed);
const broken = results.testResults.filter(
	(file) =>
		file.status === "failed" &&
		!file.assertionResults.some((it) => it.status === "failed"),
);
for (const file of broken)
	console.error(`failed: ${file.name.split("/").at(-1)}: ${file.message}`);

const least = results.success ? 0 : 1; // such as a file that could not be loaded
console.log(
	results.numPassedTests,
	Math.max(results.numFailedTests + broken.length, least),
	results.numPendingTests + results.numTodoTests,
);
