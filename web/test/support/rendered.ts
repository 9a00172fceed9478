import { nothing } from "lit";

/** Functions in a template by name: handlers by their event. */
export type Handlers = Record<string, ((event: never) => void)[]>;

/** Lit's marks of a template and of a directive. */
interface Marked {
	readonly strings?: readonly string[];
	readonly values?: readonly unknown[];
	readonly _$litDirective$?: { readonly name: string };
}

/**
 * Renders a template to text without a DOM: enough to see elements, attributes and text. Adds
 * its event handlers to `handlers`, in their order.
 */
export function rendered(value: unknown, handlers: Handlers = {}): string {
	if (value === nothing || value === undefined || value === null) return "";
	if (Array.isArray(value)) return value.map((one) => rendered(one, handlers)).join("");
	if (typeof value !== "object") return String(value);
	const { strings, values = [], _$litDirective$: directive } = value as Marked;
	// Of directives, only `repeat` is known.
	if (directive) {
		const [items, , item] = values as [
			unknown[],
			unknown,
			(one: unknown, i: number) => unknown,
		];
		return rendered(items.map(item), handlers);
	}
	if (!strings) return String(value);
	return strings
		.map((text, i) => {
			if (i === values.length) return text;
			const one = values[i];
			const [, name, key] = /(\s([@.?]?[\w-]+)=)$/.exec(text) ?? [];
			if (name === undefined || key === undefined)
				return text + rendered(one, handlers);
			const head = text.slice(0, -name.length);
			if (typeof one === "function") {
				handlers[key] = [...(handlers[key] ?? []), one as never];
				return head;
			}
			return one === nothing || one === undefined
				? head
				: `${head} ${key}="${rendered(one)}"`;
		})
		.join("")
		.replace(/\s*\n\s*/g, " ")
		.replaceAll(" >", ">");
}
