"""Where everything is: the addresses of records and of what takes reports, from the site's own address."""

from dataclasses import dataclass
from functools import cached_property

from library.records.models import Site


@dataclass(frozen=True)
class Addresses:
    """Where everything is, from the site's own address."""

    site: Site

    @cached_property
    def site_url(self) -> str:
        """The site's address without its last slash."""
        return self.site.site_url.rstrip("/")

    @cached_property
    def base_url(self) -> str:
        """Where the interface begins."""
        return self.site.base_url

    @cached_property
    def api_url(self) -> str:
        """Where the live part of the interface begins, which may be another place."""
        return (self.site.api_url or self.site.base_url).rstrip("/")

    @cached_property
    def reports(self) -> str:
        """Where run reports are sent."""
        return f"{self.api_url}/runs"

    @cached_property
    def submissions(self) -> str:
        """Where submissions are sent."""
        return f"{self.api_url}/submissions"

    def page(self, kind: str, slug: str) -> str:
        """The public page of a record; `kind` is the folder in the address, such as `playbooks`."""
        return f"{self.site_url}/{kind}/{slug}/"

    def markdown(self, kind: str, slug: str) -> str:
        """The markdown twin of a record's page."""
        return f"{self.site_url}/{kind}/{slug}.md"

    def skill(self, slug: str) -> str:
        """The instruction file of a playbook."""
        return f"{self.site_url}/skills/{slug}/SKILL.md"

    def bundle(self, slug: str) -> str:
        """The instruction file of a playbook with the scripts that travel with it, as one archive."""
        return f"{self.site_url}/s/{slug}/skill.zip"

    def script(self, slug: str, name: str) -> str:
        """A script that travels with a playbook's skill."""
        return f"{self.site_url}/skills/{slug}/scripts/{name}"
