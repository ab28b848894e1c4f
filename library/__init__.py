"""The domain: what a playbook library is, how it is read, checked, judged and searched.

No web, no templates, no SQL.
"""

__version__ = "0.1.0"
