"""Labels of agents and states of traffic light faces, in the order of their columns."""

PERCEPTION_LABELS = [
    *(
        f"PERCEPTION_LABEL_{name}"
        for name in (
            "NOT_SET UNKNOWN DONTCARE CAR VAN TRAM BUS TRUCK EMERGENCY_VEHICLE "
            "OTHER_VEHICLE BICYCLE MOTORCYCLE CYCLIST MOTORCYCLIST PEDESTRIAN ANIMAL"
        ).split()
    ),
    "AVRESEARCH_LABEL_DONTCARE",
]
PERCEPTION_LABEL_TO_INDEX = {name: i for i, name in enumerate(PERCEPTION_LABELS)}

TL_FACE_LABELS = ["ACTIVE", "INACTIVE", "UNKNOWN"]
TL_FACE_LABEL_TO_INDEX = {name: i for i, name in enumerate(TL_FACE_LABELS)}
