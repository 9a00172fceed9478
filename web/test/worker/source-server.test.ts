import { describe, expect, it } from "vitest";
import { MemorySource } from "../../src/source/memory-source.js";
import type { Source } from "../../src/source/source.js";
import type { SourceReply } from "../../src/worker/protocol.js";
import { SourceServer } from "../../src/worker/source-server.js";
import { HeldSource, settled } from "../support/sources.js";

function serverOf(source: Source, givesAway = false) {
	const posted: [SourceReply, Transferable[]][] = [];
	const post = (reply: SourceReply, transfer: Transferable[]): void => {
		posted.push([reply, transfer]);
	};
	return { server: new SourceServer({ source, post, givesAway }), posted };
}

const question = { type: "read", key: "k", range: undefined, required: true } as const;

describe("worker/source-server", () => {
	it("copies what the source may keep, and nothing that it gives away", async () => {
		const bytes = Uint8Array.of(1, 2, 3);
		const source = { read: async () => bytes };
		for (const givesAway of [false, true]) {
			const { server, posted } = serverOf(source, givesAway);
			server.receive({ ...question, id: 7 });
			await settled();
			const [[reply, transfer] = []] = posted;
			expect(reply).toEqual({ type: "bytes", id: 7, bytes });
			expect(transfer?.[0] === bytes.buffer).toBe(givesAway);
		}
	});

	it("answers sizes, absence and failures", async () => {
		const { server, posted } = serverOf(new MemorySource({ k: Uint8Array.of(1, 2) }));
		server.receive({ type: "measure", id: 1, key: "k" });
		server.receive({ ...question, id: 2, key: "absent" });
		await settled();
		expect(posted.map(([reply]) => reply)).toEqual([
			{ type: "size", id: 1, size: 2 },
			{ type: "bytes", id: 2, bytes: undefined },
		]);
		const failing = serverOf({ read: () => Promise.reject(new Error("lost")) });
		failing.server.receive({ ...question, id: 3 });
		await settled();
		expect(failing.posted[0]?.[0]).toMatchObject({ type: "unread", id: 3 });
	});

	it("aborts what is not wanted, and everything at the end", async () => {
		const source = new HeldSource();
		const { server } = serverOf(source);
		server.receive({ ...question, id: 1, key: "a" });
		server.receive({ ...question, id: 2, key: "b" });
		const aborted = () => source.reads.map(({ options }) => options.signal?.aborted);
		server.receive({ type: "unwanted", id: 1 });
		expect(aborted()).toEqual([true, false]);
		server.abort(new Error("closed"));
		expect(aborted()).toEqual([true, true]);
	});
});
