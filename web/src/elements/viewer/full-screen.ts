/** Returns whether `host` is in full screen mode. */
export function isFullScreen(host: Element): boolean {
	const root = host.getRootNode();
	const within = root instanceof ShadowRoot || root instanceof Document ? root : null;
	return within?.fullscreenElement === host;
}

/** Toggles full screen mode of `host`. Does nothing if the browser refuses. */
export function toggleFullScreen(host: Element): void {
	const done = isFullScreen(host)
		? document.exitFullscreen()
		: host.requestFullscreen();
	done.catch(() => {}); // refused by the browser or by the embedding frame
}
