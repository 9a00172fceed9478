/** The part of a model of anywidget that is used. */
export interface WidgetModel {
	/** Returns a trait; undefined if there is none of this name. */
	get(name: string): unknown;
	/** Changes a trait. */
	set(name: string, value: unknown): void;
	/** Sends the changes. */
	save_changes(): void;
	/** Calls `listener` at each event, such as `change:frame`. */
	on(event: string, listener: () => void): void;
	/** Removes a listener. */
	off(event: string, listener: () => void): void;
}

/** A front end of anywidget. */
declare const widget: {
	/**
	 * Shows the viewer in `el`. Traits with the names of the attributes (`src`, `frame`,
	 * `map_src`) steer it; `scene` and `frame` follow it; `height` is in pixels.
	 */
	render(given: { readonly model: WidgetModel; readonly el: HTMLElement }): () => void;
};
export default widget;
