"""A site of Django with one app, for tests: settings, models, admin and views.

Importing the package configures Django in this process.
"""

from importlib.util import find_spec

import django
from django.conf import settings


def configure() -> None:
    settings.configure(
        ALLOWED_HOSTS=["testserver", "example.org"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=[
            *("django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes"),
            *("django.contrib.messages", "django.contrib.sessions", "django_site"),
            *(["rest_framework"] if find_spec("rest_framework") else []),
        ],
        LOGGING_CONFIG=None,
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        MIGRATION_MODULES={"django_site": None},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ROOT_URLCONF="django_site.urls",
        SECRET_KEY="for tests",
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        USE_TZ=True,
    )
    django.setup()


configure()
