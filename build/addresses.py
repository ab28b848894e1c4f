"""Where everything is: the addresses of records and of what takes reports, from the site's own address."""

from __future__ import annotations

from library.models import Site


class Addresses:
    """Where everything is, from the site's own address."""

    def __init__(self, site: Site) -> None:
        self.site_url = site.site_url.rstrip("/")
        self.base_url = site.base_url
        api_url = (site.api_url or site.base_url).rstrip("/")
        self.reports = f"{api_url}/runs"
        self.submissions = f"{api_url}/submissions"

    def page(self, kind: str, slug: str) -> str:
        """The public page of a record; `kind` is the folder in the address, such as `playbooks`."""
        return f"{self.site_url}/{kind}/{slug}/"

    def markdown(self, kind: str, slug: str) -> str:
        """The markdown twin of a record's page."""
        return f"{self.site_url}/{kind}/{slug}.md"

    def skill(self, slug: str) -> str:
        """The instruction file of a playbook."""
        return f"{self.site_url}/skills/{slug}/SKILL.md"
