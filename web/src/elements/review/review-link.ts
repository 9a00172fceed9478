import { resolved } from "../open/places.js";
import type { ModelsLink } from "./models-link.js";
import { addressesIn, freeName, joinedAddresses } from "./prediction-sets.js";
import { nameOfUrl, type ReviewController } from "./review-controller.js";
import type { ModelState, ReviewState } from "./review-state.js";

function addressed({ models }: ReviewState): readonly ModelState[] {
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
		splitPictures: review.split || undefined,
	};
}

/**
 * Opens the link's models and removes others that have an address. `siteOf` resolves an
 * address, and returns undefined if it must not be read.
 */
export function restoreModels(
	reviews: ReviewController,
	link: ModelsLink,
	siteOf: (address: string) => URL | undefined,
): void {
	if (link.predictions === undefined) return;
	const addresses = addressesIn(link.predictions);
	const names = link.modelNames?.split("|").map((name) => name.trim()) ?? [];
	for (const { id, address } of addressed(reviews.state)) {
		if (!addresses.includes(address ?? "")) reviews.remove(id);
	}
	addresses.forEach((address, i) => {
		if (reviews.state.models.some((one) => one.address === address)) return;
		const url = siteOf(address);
		if (!url) return;
		const name = freeName(reviews, names[i] || nameOfUrl(url), address);
		void reviews.fetch(url, address, name);
	});
	const numbered = addresses.map((address) =>
		reviews.state.models.find((one) => one.address === address),
	);
	numbered.forEach((model, i) => {
		if (model) reviews.show(model.id, !link.hiddenModels?.includes(i + 1));
	});
	const [a, b] = (link.comparedModels ?? [1, 2]).map((n) => numbered[n - 1]?.id);
	if (a !== undefined && b !== undefined) reviews.compare({ a, b });
	reviews.split(link.splitPictures ?? false);
}
