import type { Core, Handle } from "../core/core.js";
import type { Destination } from "./destination.js";

/** A destination of objects that writes them to one of an archive's bytes. */
export function archived(archive: Destination, core: Core): Destination {
	let writer: Handle<"ArchiveWriter"> | undefined;
	const end = (): void => {
		if (writer !== undefined) core.release(writer);
		writer = undefined;
	};
	return {
		name: archive.name,
		async begin(options) {
			await archive.begin(options);
			writer = core.run("archive_writer", {});
		},
		async put(key, bytes, options) {
			if (writer === undefined) return;
			const more = core.run("archive_put", { writer, key, bytes });
			await archive.put("", more as Uint8Array<ArrayBuffer>, options);
		},
		async publish(options) {
			const rest = writer && core.run("archive_finish", { writer });
			end();
			if (rest) await archive.put("", rest as Uint8Array<ArrayBuffer>, options);
			await archive.publish(options);
		},
		async discard() {
			end();
			await archive.discard?.();
		},
	};
}
