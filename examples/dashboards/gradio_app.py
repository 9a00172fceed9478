"""Gradio: choose a scene, see what is selected.

BEVSCOPE_DATA=https://host/town.zarr python gradio_app.py
"""

import os

import gradio as gr

from bevscope.gradio import Viewer

with gr.Blocks() as app:
    scene = gr.Number(0, label="Open scene", precision=0, minimum=0, maximum=1)
    viewer = Viewer(os.environ["BEVSCOPE_DATA"], scene=0, frame=3)
    text = gr.Markdown()
    scene.change(lambda scene: {"scene": scene, "frame": 3}, scene, viewer)
    viewer.select(
        lambda shown: f"Scene {shown.scene}, selected: {shown.selection}", viewer, text
    )

if __name__ == "__main__":
    app.launch(server_port=int(os.environ.get("PORT", "7860")))
