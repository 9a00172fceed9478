import type { WidgetListener, WidgetModel } from "./kernel-messages.js";

/** Values of a viewer by name: `scene`, `frame`, `selection`, `_url` and other traits. */
export type Values = Readonly<Record<string, unknown>>;

/** What a viewer has if its host gives nothing. */
const DEFAULTS: Values = {
	theme: "auto",
	height: 480,
	_folders: 0,
	_overlays: [],
	_predictions: null,
	_model: null,
};

/**
 * A widget's model for hosts that pass values instead of synchronizing them: dashboards
 * that run a script again after each change.
 */
export class ValuesModel implements WidgetModel {
	readonly #onChange: (values: Values) => void;
	readonly #listeners = new Map<string, Set<WidgetListener>>();
	/** Values that the host passed last. */
	#given: Values;
	#values: Values;
	/** The watched values that were reported last. */
	#reported = "";

	/**
	 * @param given also `_watch`, the names of values whose change is reported; default: all
	 * @param onChange receives all values when the viewer has changed one of these
	 */
	constructor(given: Values, onChange: (values: Values) => void) {
		this.#given = given;
		this.#values = { ...DEFAULTS, ...given };
		this.#onChange = onChange;
		this.#reported = this.#watched();
	}

	/**
	 * Takes the values that differ from those passed before. A host that passes the same
	 * value again does not undo what the user has changed.
	 */
	update(given: Values): void {
		const before = this.#given;
		this.#given = given;
		const changed = Object.entries(given).filter(
			([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
		);
		this.#values = { ...this.#values, ...Object.fromEntries(changed) };
		for (const [name] of changed) {
			for (const tell of this.#listeners.get(`change:${name}`) ?? []) tell();
		}
	}

	get(name: string): unknown {
		return this.#values[name];
	}

	set(name: string, value: unknown): void {
		this.#values = { ...this.#values, [name]: value };
	}

	save_changes(): void {
		const watched = this.#watched();
		if (watched === this.#reported) return;
		this.#reported = watched;
		this.#onChange(this.#values);
	}

	#watched(): string {
		const { _watch: names = Object.keys(this.#values) } = this.#values;
		return JSON.stringify(
			(names as readonly string[]).map((name) => this.#values[name]),
		);
	}

	on(event: string, listener: WidgetListener): void {
		const listeners = this.#listeners.get(event) ?? new Set();
		this.#listeners.set(event, listeners.add(listener));
	}

	off(event: string, listener: WidgetListener): void {
		this.#listeners.get(event)?.delete(listener);
	}

	/** Does nothing: no kernel reads for the viewer. */
	send(): void {}
}
