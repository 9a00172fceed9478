import { Converter, ReflectionKind } from "typedoc";

/** Members that Lit calls; they are no part of the elements' interface. */
const OF_LIT =
	/^(styles|properties|render|connectedCallback|disconnectedCallback|firstUpdated|willUpdate|updated|createRenderRoot|constructor|attributeChangedCallback|observedAttributes)$/;

/** Removes members from the reference that only Lit uses. */
export function load(app) {
	app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
		const isElement = ({ extendedTypes = [] }) =>
			extendedTypes.some((type) => /Element|ViewerApi/.test(String(type)));
		const classes = project
			.getReflectionsByKind(ReflectionKind.Class)
			.filter(isElement);
		for (const { children = [] } of classes) {
			for (const member of children.filter(({ name }) => OF_LIT.test(name)))
				project.removeReflection(member);
		}
	});
}
