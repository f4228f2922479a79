"""ModalShock: a structure on its modes, with several contacts."""
