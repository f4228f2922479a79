"""ModalShock: a structure described by its modes, with several contacts."""
