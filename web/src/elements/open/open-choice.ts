import { BevError } from "../../base/errors.js";
import type { Place } from "../session/dataset.js";
import { explained } from "../session/explanation.js";

/** Maximum number of data sets offered. */
const MAX_CHOICES = 100;

/**
 * Returns an error that offers the user a choice of several data sets.
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
		`${name}: ${all.length} data sets in one place`,
	);
	const offered = all.slice(0, MAX_CHOICES);
	return explained(error, {
		title: "Choose a data set",
		advice: [`${name} contains ${all.length} of them. Which one?`],
		alternatives: offered.map((label) => ({ label, place: placeOf(label) })),
	});
}
