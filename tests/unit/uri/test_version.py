import re
import unicodedata

import idna

import uriverse


def test_versions_are_those_of_the_tables_in_use_and_dates_of_registries() -> None:
    versions = uriverse.data_versions()
    assert versions["unicode"] == unicodedata.unidata_version
    assert versions["idna"] == idna.idnadata.__version__
    dates = [version for version in versions.values() if "-" in version]
    assert len(dates) == 4
    assert all(re.fullmatch("20[0-9]{2}-[01][0-9]-[0-3][0-9]", date) for date in dates)
