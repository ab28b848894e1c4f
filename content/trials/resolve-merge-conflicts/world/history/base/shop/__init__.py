"""A small shop: orders, prices, reports and pages."""
