"""The people of the sample library: their accounts, cards and tokens."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from rest_framework.authtoken.models import Token

from project.kept import kept
from project.library.models import Branch, Member

ADMIN = "admin"
LIBRARIAN_PERMISSIONS = {
    "library": ["add_book", "change_book", "view_book", "add_copy", "change_copy", "view_copy"],
    "lending": ["add_loan", "change_loan", "view_loan", "view_hold", "change_hold"],
    "mcp_django": ["view_feature"],
}


class Person(NamedTuple):
    username: str
    first_name: str
    last_name: str
    branch: str
    has_token: bool = False
    is_librarian: bool = False


PEOPLE = [
    Person("ann", "Ann", "Archer", "north", has_token=True),
    Person("ben", "Ben", "Bridges", "north", has_token=True),
    Person("cleo", "Cleo", "Carver", "south", has_token=True),
    Person("lena", "Lena", "Lindqvist", "north", has_token=True, is_librarian=True),
    # They only borrow books.
    Person("dora", "Dora", "Dyer", "north"),
    Person("emil", "Emil", "Egger", "north"),
    Person("fay", "Fay", "Fisher", "south"),
    Person("gus", "Gus", "Glover", "south"),
]


def load_people() -> None:
    """Make who is missing: people with their cards, tokens, the librarians' group, the admin."""
    branches = {branch.code: branch for branch in Branch.objects.all()}
    for number, person in enumerate(PEOPLE, start=1):
        user, _ = User.objects.get_or_create(
            username=person.username,
            defaults={
                "first_name": person.first_name,
                "last_name": person.last_name,
                "is_staff": person.is_librarian,
                "password": "!",  # no password fits: people sign in with tokens
            },
        )
        branch = branches[person.branch]
        Member.objects.get_or_create(
            user=user, defaults={"branch": branch, "card_number": f"M{number:04d}"}
        )
        if person.has_token:
            Token.objects.get_or_create(user=user)
        if person.is_librarian:
            user.groups.add(_librarians())
    load_admin()


def _librarians() -> Group:
    group, created = Group.objects.get_or_create(name="Librarians")
    if created:
        for app, codenames in LIBRARIAN_PERMISSIONS.items():
            group.permissions.add(
                *Permission.objects.filter(content_type__app_label=app, codename__in=codenames)
            )
    return group


def load_admin() -> None:
    """The superuser, with a password that is kept in a file: a database keeps only its hash."""
    if not User.objects.filter(username=ADMIN).exists():
        User.objects.create_superuser(ADMIN, password=_admin_password())


def admin_password() -> str | None:
    """The superuser's password, None where it was changed or is kept elsewhere."""
    admin = User.objects.filter(username=ADMIN).first()
    password = _admin_password()
    return password if admin is not None and admin.check_password(password) else None


def _admin_password() -> str:
    return kept(settings.STATE_DIR / "admin_password", lambda: secrets.token_urlsafe(12))


def tokens() -> dict[str, str]:
    """Name and token of everyone in the sample who has one."""
    names = [person.username for person in PEOPLE if person.has_token]
    found = Token.objects.filter(user__username__in=names).values_list("user__username", "key")
    return dict(sorted(found))
