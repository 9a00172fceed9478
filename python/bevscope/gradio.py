"""The viewer as a component of Gradio: `bevscope.gradio.Viewer`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

try:
    import gradio
except ImportError as error:
    raise ModuleNotFoundError(
        "bevscope.gradio: Gradio 6 or later is not installed "
        "(pip install 'bevscope[gradio]')",
        name=error.name,
    ) from error

from ._element import (
    SCRIPT,
    WATCHED,
    Selection,
    Shown,
    check_script,
    shown_of,
    values_of,
    wire,
)

__all__ = ["Shown", "Viewer"]

#: Gradio replaces what is in `element`, so the viewer is in its shadow root. It serves
#: files without the type that modules need, hence the blob.
_ON_LOAD = """
const load = async () => {
    const file = await (await fetch(props.script.url)).blob();
    return import(URL.createObjectURL(new Blob([file], { type: "text/javascript" })));
};
const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
(globalThis.bevscopeWidget ??= load()).then(({ mount }) => {
    const viewer = mount(root, props.value, (values) => {
        props.value = values;
        trigger("select");
    });
    watch("value", () => viewer.update(props.value));
});
"""


class Viewer(gradio.HTML):
    """Shows a data set. As an input of a function it is what the user sees, a `Shown`; as
    an output it takes a `Shown` or a mapping with "scene", "frame" or "selection".

    Args:
        dataset: an address that the browser reads (http, https, hf, s3 or gs), or a
            `Dataset` of one.
        scene, frame: position, counted from 0.
        selection: a track id, or "ego".
        theme: "auto", "dark" or "light".
        height: in pixels.
        watch: of "scene", "frame" and "selection": a change of these is the event
            `select`.
    """

    def __init__(
        self,
        dataset: Any,
        *,
        scene: int | None = None,
        frame: int | None = None,
        selection: Selection = None,
        theme: str = "auto",
        height: int = 480,
        watch: Collection[str] = WATCHED,
        **options: Any,
    ) -> None:
        check_script()
        given = {"scene": scene, "frame": frame, "selection": selection}
        self._values = values_of(dataset, watch, theme=theme, height=height, **given)
        super().__init__(
            given,
            html_template="",
            js_on_load=_ON_LOAD,
            script={"path": str(SCRIPT), "meta": {"_type": "gradio.FileData"}},
            **options,
        )
        self.props["script"] = self.serve_static_file(str(SCRIPT))

    def preprocess(self, payload: Mapping[str, Any] | None) -> Shown:  # type: ignore[override]
        return shown_of(payload)

    def postprocess(self, value: Any) -> dict[str, Any]:  # type: ignore[override]
        given = value._asdict() if isinstance(value, Shown) else dict(value or {})
        return {**self._values, **{name: wire(name, one) for name, one in given.items()}}

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}
