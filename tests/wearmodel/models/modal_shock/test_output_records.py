"""The output records of the kernel have the public names, in the same order."""

import pytest

from wearmodel.kernel.state_objects import field_names
from wearmodel.kernel.structure.state_objects import ContactOutputs, TotalOutputs
from wearmodel.models.modal_quantities import CONTACT_OUTPUTS, TOTAL_OUTPUTS


@pytest.mark.parametrize(
    ("record", "outputs"), [(ContactOutputs, CONTACT_OUTPUTS), (TotalOutputs, TOTAL_OUTPUTS)]
)
def test_a_record_of_outputs_has_their_names_in_their_order(record, outputs):
    assert list(field_names(record)) == [one.name for one in outputs]
