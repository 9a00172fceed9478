/** Whether `host` fills the screen. */
export function isFullScreen(host: Element): boolean {
	const root = host.getRootNode();
	const within = root instanceof ShadowRoot || root instanceof Document ? root : null;
	return within?.fullscreenElement === host;
}

/** Makes `host` fill the screen, or ends that. Does nothing where the browser refuses. */
export function toggleFullScreen(host: Element): void {
	const done = isFullScreen(host)
		? document.exitFullscreen()
		: host.requestFullscreen();
	done.catch(() => {}); // refused by the browser or the page's frame
}
