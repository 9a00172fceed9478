/** Reports that the network is back; a page's `window`. */
export type Network = Pick<EventTarget, "addEventListener" | "removeEventListener">;

/** The page's `window`; undefined outside of pages. */
export const PAGE_NETWORK: Network | undefined =
	typeof window === "undefined" ? undefined : window;

/**
 * Calls `act` whenever the browser goes online; returns a function that unsubscribes.
 */
export function whenOnline(network: Network | undefined, act: () => void): () => void {
	network?.addEventListener("online", act);
	return () => network?.removeEventListener("online", act);
}
