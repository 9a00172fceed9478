import { nameOfUrl } from "../open/places.js";
import { addressesIn } from "./addresses.js";
import { localNames } from "./awaited-files.js";
import { addressed } from "./models-link.js";
import { freeName } from "./prediction-sets.js";
import type { ReviewController } from "./review-controller.js";
import type { ModelsLink } from "./review-state.js";

/**
 * Opens the link's models and removes others that have an address. `siteOf` resolves an
 * address, and returns undefined if it must not be read. Local models are awaited.
 */
export function restoreModels(
	reviews: ReviewController,
	link: ModelsLink,
	siteOf: (address: string) => URL | undefined,
): void {
	const addresses = addressesIn(link.predictions ?? "");
	const names = link.modelNames?.split("|").map((name) => name.trim()) ?? [];
	for (const { id, address } of addressed(reviews.state)) {
		if (!addresses.includes(address ?? "")) reviews.remove(id);
	}
	const reads: Promise<void>[] = [];
	addresses.forEach((address, i) => {
		if (reviews.state.models.some((one) => one.address === address)) return;
		const url = siteOf(address);
		if (!url) return;
		const name = freeName(reviews, names[i] || nameOfUrl(url), address);
		reads.push(reviews.fetch(url, address, name));
	});
	arrange(reviews, link, reads);
	reviews.expect(partOf(link), () => arrange(reviews, link, []));
}

/** Returns the models' part of a link. */
function partOf(link: ModelsLink): ModelsLink {
	const { predictions, modelNames, localModels, hiddenModels } = link;
	const { comparedModels, listed, splitPictures } = link;
	const names = { predictions, modelNames, localModels };
	return { ...names, hiddenModels, comparedModels, listed, splitPictures };
}

/** Hides, compares, splits and lists the open models as in the link. */
function arrange(
	reviews: ReviewController,
	link: ModelsLink,
	reads: readonly Promise<void>[],
): void {
	const { models } = reviews.state;
	const numbered = [
		...addressesIn(link.predictions ?? "").map((address) =>
			models.find((one) => one.address === address),
		),
		...localNames(link).map((name) => models.find((one) => one.name === name)),
	];
	numbered.forEach((model, i) => {
		if (model) reviews.show(model.id, !link.hiddenModels?.includes(i + 1));
	});
	const [a, b] = (link.comparedModels ?? [1, 2]).map((n) => numbered[n - 1]?.id);
	if (a !== undefined && b !== undefined) reviews.compare({ a, b });
	reviews.split(link.splitPictures ?? false);
	if (link.listed) void reviews.listAfter(reads, link.listed);
}
