"""The plural categories that words are written for, as the CLDR has them for whole numbers."""

CATEGORIES = {
    "en": {"one", "other"},
    "fr": {"one", "many", "other"},
    "hr": {"one", "few", "other"},
    "hu": {"one", "other"},
    "he": {"one", "two", "other"},
}
