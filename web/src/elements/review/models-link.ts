import { nameOfUrl, resolved } from "../open/places.js";
import { joinedAddresses } from "./addresses.js";
import type { ModelState, ModelsLink, ReviewState } from "./review-state.js";

/** Returns the models that have an address. */
export function addressed({ models }: ReviewState): readonly ModelState[] {
	return models.filter(({ address }) => address !== undefined);
}

function fileName(address: string): string {
	const url = resolved(address, globalThis.document?.baseURI ?? "http://localhost/");
	return url ? nameOfUrl(url) : address;
}

/** Returns a list of names; in them, `|` is escaped. */
export function joinedNames(names: readonly string[]): string {
	return joinedAddresses(
		names.map((name) => name.replace(/[%|]/g, encodeURIComponent)),
	);
}

/**
 * Returns the link's part about the models. Local files of the opened link that are not
 * open yet stay in it.
 */
export function modelsLink(review: ReviewState): ModelsLink {
	const { awaited } = review;
	const named = addressed(review);
	const local = review.models.filter(
		({ address, phase }) => address === undefined && phase !== "failed",
	);
	const models = [...named, ...local];
	if (models.length === 0) return awaited?.link ?? {};
	const addresses = named.map(({ address }) => address ?? "");
	const number = (id: number | undefined) =>
		models.findIndex((one) => one.id === id) + 1;
	const names = named.map(({ name }) => name);
	const usual = names.every((name, i) => name === fileName(addresses[i] ?? ""));
	const hidden = models.flatMap(({ visible }, i) => (visible ? [] : [i + 1]));
	const [a, b] = [number(review.pair?.a), number(review.pair?.b)];
	const first = review.models[0] === models[0] && a === 1 && b === 2;
	const missing = [...local.map(({ name }) => name), ...(awaited?.missing ?? [])];
	return {
		predictions: joinedAddresses(addresses) || undefined,
		modelNames: usual ? undefined : joinedAddresses(names),
		localModels: joinedNames(missing) || undefined,
		hiddenModels: hidden.length > 0 ? hidden : undefined,
		comparedModels: a > 0 && b > 0 && !first ? [a, b] : undefined,
		listed: review.list === "agents" ? undefined : review.list,
		splitPictures: review.split || undefined,
	};
}
