import { nameOfUrl } from "../open/places.js";
import { addressed, addressesIn, type ModelsLink } from "./models-link.js";
import { freeName } from "./prediction-sets.js";
import type { ReviewController } from "./review-controller.js";

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
	const reads: Promise<void>[] = [];
	addresses.forEach((address, i) => {
		if (reviews.state.models.some((one) => one.address === address)) return;
		const url = siteOf(address);
		if (!url) return;
		const name = freeName(reviews, names[i] || nameOfUrl(url), address);
		reads.push(reviews.fetch(url, address, name));
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
	if (link.listed) void reviews.listAfter(reads, link.listed);
}
