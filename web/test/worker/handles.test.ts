import { describe, expect, it, vi } from "vitest";
import { Handles } from "../../src/worker/handles.js";

function started() {
	const handles = new Handles<{ delete(): void }>("image: released");
	const made = (id: number) => {
		const object = { delete: vi.fn() };
		handles.add(id, object);
		return object;
	};
	return { handles, made };
}

describe("worker/handles", () => {
	it("finds an object until it is freed, and frees it once", () => {
		const { handles, made } = started();
		const object = made(4);
		expect(handles.find(4)).toBe(object);
		handles.free(4);
		handles.free(4);
		handles.close();
		expect(object.delete).toHaveBeenCalledOnce();
		expect(handles.get(4)).toBeUndefined();
		expect(() => handles.find(4)).toThrow("image: released");
	});

	it("frees all objects when closed", () => {
		const { handles, made } = started();
		const objects = [made(1), made(2)];
		handles.close();
		for (const { delete: deleted } of objects) expect(deleted).toHaveBeenCalledOnce();
		expect(handles.ids).toEqual([]);
	});

	it("does not touch forgotten objects", () => {
		const { handles, made } = started();
		const object = made(1);
		handles.forget();
		handles.close();
		expect(object.delete).not.toHaveBeenCalled();
	});
});
