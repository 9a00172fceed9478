"""The viewer as a component of Panel: `bevscope.panel.Viewer`."""

from __future__ import annotations

from typing import Any, ClassVar

try:
    import param
    from panel.custom import JSComponent
    from panel.io.resources import component_resource_path
except ImportError as error:
    raise ModuleNotFoundError(
        "bevscope.panel: Panel 1.5 or later is not installed "
        "(pip install 'bevscope[panel]')",
        name=error.name,
    ) from error

from ._element import SCRIPT, Selection, Shown, check_script, shown_of, values_of, wire

__all__ = ["Viewer"]

_RESOURCE = "static/widget.js"


class Viewer(JSComponent):
    """Shows a data set. The parameters `scene`, `frame` and `selection` (a track id in
    decimal, or "ego") change with the viewer, and the viewer with them.

    Args:
        dataset: an address that the browser reads (http, https, hf, s3 or gs), or a
            `Dataset` of one.
        scene, frame: position, counted from 0.
        theme: "auto", "dark" or "light".
        options: of Panel's components, for example `height`, in pixels, and `sizing_mode`.
    """

    scene = param.Integer(None, bounds=(0, None), allow_None=True)
    frame = param.Integer(None, bounds=(0, None), allow_None=True)
    selection = param.String(None, allow_None=True)
    theme = param.Selector(default="auto", objects=["auto", "dark", "light"])
    opened = param.Dict(default={}, doc="The address, for the browser.")
    script = param.String("", doc="Path of the viewer's script, for the browser.")

    _resources: ClassVar[dict[str, str]] = {"script": _RESOURCE}

    _esm = """
const NAMES = ["scene", "frame", "selection", "theme", "height"];
const valuesOf = (model) => Object.fromEntries(NAMES.map((name) => [name, model[name]]));

export function render({ model }) {
  const host = document.createElement("div");
  host.style.width = "100%";
  const address = new URL(model.script, document.baseURI).href;
  const loading = import(address).then(({ mount }) =>
    mount(host, { ...model.opened, ...valuesOf(model) }, (values) => {
      for (const name of ["scene", "frame", "selection"]) {
        if (model[name] !== values[name]) model[name] = values[name];
      }
    }),
  );
  model.on(NAMES, async () => (await loading).update(valuesOf(model)));
  model.on("remove", async () => (await loading).close());
  return host;
}
"""

    def __init__(
        self, dataset: Any, *, selection: Selection = None, **options: Any
    ) -> None:
        check_script()
        opened = values_of(dataset, Shown._fields)
        path = component_resource_path(Viewer, "_resources/script", SCRIPT)
        super().__init__(
            opened=opened,
            script=path,
            selection=wire("selection", selection),
            **{"height": 480, "sizing_mode": "stretch_width", **options},
        )

    @property
    def shown(self) -> Shown:
        """What the user sees, with a track id as a number."""
        return shown_of({name: getattr(self, name) for name in Shown._fields})
