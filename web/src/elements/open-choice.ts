import { BevError } from "../errors.js";
import type { Place } from "./dataset.js";
import { explained } from "./pure/problem.js";

/** Most data sets that are offered. */
const MOST_CHOICES = 100;

/**
 * The error of a place that holds several data sets, which lets the person choose one.
 *
 * @param all their paths
 */
export function choiceOf(
	name: string,
	all: readonly string[],
	placeOf: (path: string) => Place,
): BevError {
	const error = new BevError(
		"invalid_argument",
		`${name}: ${all.length} data sets (expected one)`,
	);
	const offered = all.slice(0, MOST_CHOICES);
	return explained(error, {
		title: "Choose a data set",
		advice: [],
		alternatives: offered.map((label) => ({ label, place: placeOf(label) })),
	});
}
