"""Streamlit: choose a scene, see what is selected.

BEVSCOPE_DATA=https://host/town.zarr streamlit run streamlit_app.py
"""

import os

import streamlit as st

from bevscope.streamlit import viewer

scene = st.number_input("Open scene", 0, 1, 0)
shown = viewer(os.environ["BEVSCOPE_DATA"], scene=int(scene), frame=3, key="viewer")
st.write(f"Scene {shown.scene}, selected: {shown.selection}")
