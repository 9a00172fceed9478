import { nameOfUrl, resolved } from "../open/places.js";
import type { ModelState, ReviewList, ReviewState } from "./review-state.js";

/** The models in a link. Only models with an address are in it. */
export interface ModelsLink {
	/** Addresses of prediction files, separated by `|`. */
	readonly predictions?: string | undefined;
	/** Names of these models, separated by `|`, if they are not the files' names. */
	readonly modelNames?: string | undefined;
	/** Numbers of the hidden models: 1 is the first in `predictions`. */
	readonly hiddenModels?: readonly number[] | undefined;
	/** Numbers of the compared models A and B; default the first two. */
	readonly comparedModels?: readonly [a: number, b: number] | undefined;
	/** The list of the panel. */
	readonly listed?: ReviewList | undefined;
	/** Whether each visible model has a picture of its own. */
	readonly splitPictures?: boolean | undefined;
}

/** Separates addresses of predictions in `predictions-src` and in links. */
const SEPARATOR = "|";

/** Returns the addresses in a list, without duplicates. */
export function addressesIn(text: string): readonly string[] {
	const parts = text.split(SEPARATOR).map((part) => part.trim());
	return [...new Set(parts.filter((part) => part !== ""))];
}

/** Returns a list of addresses. */
export function joinedAddresses(addresses: readonly string[]): string {
	return addresses.join(SEPARATOR);
}

/** Returns the models that have an address. */
export function addressed({ models }: ReviewState): readonly ModelState[] {
	return models.filter(({ address }) => address !== undefined);
}

function fileName(address: string): string {
	const url = resolved(address, globalThis.document?.baseURI ?? "http://localhost/");
	return url ? nameOfUrl(url) : address;
}

/** Returns the link's part about the models. */
export function modelsLink(review: ReviewState): ModelsLink {
	const models = addressed(review);
	if (models.length === 0) return {};
	const addresses = models.map(({ address }) => address ?? "");
	const number = (id: number | undefined) =>
		models.findIndex((one) => one.id === id) + 1;
	const names = models.map(({ name }) => name);
	const usual = names.every((name, i) => name === fileName(addresses[i] ?? ""));
	const hidden = models.flatMap(({ visible }, i) => (visible ? [] : [i + 1]));
	const [a, b] = [number(review.pair?.a), number(review.pair?.b)];
	const first = review.models[0] === models[0] && a === 1 && b === 2;
	return {
		predictions: joinedAddresses(addresses),
		modelNames: usual ? undefined : joinedAddresses(names),
		hiddenModels: hidden.length > 0 ? hidden : undefined,
		comparedModels: a > 0 && b > 0 && !first ? [a, b] : undefined,
		listed: review.list === "agents" ? undefined : review.list,
		splitPictures: review.split || undefined,
	};
}
