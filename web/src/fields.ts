import type { ZarrDtype } from "./api.js";

/** A leaf of a record. */
export interface Field {
	/** Nested names joined by dots; "" where records have no fields. */
	readonly name: string;
	/** NumPy's code as stored, e.g. `<f8`. */
	readonly dtype: string;
	/** Of one record's value; empty for a scalar. */
	readonly shape: readonly number[];
}

/** The leaves of a dtype in order. */
export function fieldsOf(
	dtype: ZarrDtype,
	name = "",
	shape: readonly number[] = [],
): Field[] {
	if (typeof dtype === "string") return [{ name, dtype, shape }];
	return dtype.flatMap(([field, inner, own = []]) =>
		fieldsOf(inner, name ? `${name}.${field}` : field, shape.concat(own)),
	);
}
