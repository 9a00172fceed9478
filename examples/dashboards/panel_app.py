"""Panel: choose a scene, see what is selected.

BEVSCOPE_DATA=https://host/town.zarr panel serve panel_app.py
"""

import os

import panel as pn

from bevscope.panel import Viewer

pn.extension()

scene = pn.widgets.IntInput(name="Open scene", value=0, start=0, end=1)
viewer = Viewer(os.environ["BEVSCOPE_DATA"], scene=0, frame=3)
scene.link(viewer, value="scene")


def text(scene, selection):
    return f"Scene {scene}, selected: {selection}"


pn.Column(
    scene, viewer, pn.bind(text, viewer.param.scene, viewer.param.selection)
).servable()
