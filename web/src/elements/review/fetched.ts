import { BevError, withoutSecrets } from "../../base/errors.js";
import { withoutHost } from "../../dataset/resolve.js";

/** Fetches a file of predictions or a rollout. Rejects unless it was found. */
export async function fetched(url: URL, signal: AbortSignal): Promise<Response> {
	const response = await fetch(await withoutHost(url), { signal });
	const { ok, status } = response;
	if (ok) return response;
	const message = `HTTP ${status} for ${withoutSecrets(url.href)}`;
	throw new BevError("network", message, { url: url.href, status });
}
