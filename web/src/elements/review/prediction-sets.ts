import { nameOfUrl, resolved } from "../open/places.js";
import { addressesIn } from "./addresses.js";
import type { PredictionsFrom, ReviewController } from "./review-controller.js";
import type { ModelState } from "./review-state.js";

/** A model's predictions with its name. */
export interface NamedPredictions {
	/** Name of the model; sets of a viewer have different names. */
	readonly name: string;
	/** CSV text, a file or arrays. */
	readonly from: PredictionsFrom;
}

/** Predictions of one model, or of up to four models. */
export type PredictionSets = PredictionsFrom | readonly NamedPredictions[];

function isList(sets: PredictionSets): sets is readonly NamedPredictions[] {
	return Array.isArray(sets);
}

function named(sets: PredictionSets | undefined): ReadonlyMap<string, PredictionsFrom> {
	if (sets === undefined) return new Map();
	if (isList(sets)) return new Map(sets.map(({ name, from }) => [name, from]));
	return new Map([[sets instanceof File ? sets.name : "given", sets]]);
}

/** Returns the model of that name. */
function modelNamed(reviews: ReviewController, name: string): ModelState | undefined {
	return reviews.state.models.find((one) => one.name === name);
}

/** Removes the model of that name; returns whether there was one. */
export function removeNamed(reviews: ReviewController, name: string): boolean {
	const model = modelNamed(reviews, name);
	if (model) reviews.remove(model.id);
	return model !== undefined;
}

/** Replaces the sets that a page passed `before` with `now`; equal ones stay. */
export function changeSets(
	reviews: ReviewController,
	[before, now]: readonly [PredictionSets | undefined, PredictionSets | undefined],
): void {
	const [old, wanted] = [named(before), named(now)];
	for (const name of old.keys()) {
		if (!wanted.has(name)) removeNamed(reviews, name);
	}
	for (const [name, from] of wanted) {
		if (old.get(name) !== from) void reviews.give(from, name);
	}
}

/**
 * Reads the files of `predictions-src`, and removes those that were in it `before`.
 * Ignores invalid addresses.
 */
export function changeAddresses(
	reviews: ReviewController,
	[before, now]: readonly [string, string],
): void {
	const wanted = addressesIn(now);
	const gone = addressesIn(before).filter((address) => !wanted.includes(address));
	for (const { id, address } of reviews.state.models) {
		if (address !== undefined && gone.includes(address)) reviews.remove(id);
	}
	for (const address of wanted) {
		const url = resolved(address, document.baseURI);
		if (!url || reviews.state.models.some((one) => one.address === address)) continue;
		void reviews.fetch(url, address, freeName(reviews, nameOfUrl(url), address));
	}
}

/**
 * Returns the name of a file that is added; its address if the name is that of a file at
 * another address.
 */
export function freeName(
	reviews: ReviewController,
	name: string,
	address: string,
): string {
	const other = modelNamed(reviews, name);
	return other && other.address !== address ? address : name;
}
